#!/bin/bash
# Starts the broker once the file with its settings is there: which port it is to advertise is known only when the container has started.
set -euo pipefail
until [[ -e /tmp/settings.properties ]]; do
	sleep 0.1
done
cat /kafka/broker.properties /tmp/settings.properties >/tmp/broker.properties
java=(java -Xmx512m -Dlogback.configurationFile=/kafka/logback.xml -cp '/kafka/lib/*')
"${java[@]}" kafka.tools.StorageTool format --cluster-id MkU3OEVBNTcwNTJENDM2Qg --config /tmp/broker.properties
exec "${java[@]}" kafka.Kafka /tmp/broker.properties
