// Requests to the application, and what its refusals mean.

export const HERE = new URL("./", import.meta.url);

const GONE = "The application does not answer. Start it again; this page goes on by itself.";
const MESSAGES = {
	401: "Log in to see the kernels.",
	403: "You may not do that. Ask for the role that the application's security demands of this endpoint, and see that a token "
		+ "against cross-site request forgery (CSRF) is not missing.",
	404: "There is no live stream here. Expose the endpoints ringkernels and ringkernelsdashboard by "
		+ "management.endpoints.web.exposure.include.",
};

export async function answer(pending) {
	let response;
	try {
		response = await pending;
	}
	catch {
		throw new Error(GONE);
	}
	// The way to a page where the user logs in, whose HTML would be taken for an answer.
	if (response.type === "opaqueredirect") {
		throw new Error(MESSAGES[401]);
	}
	if (!response.ok) {
		const body = await response.json().catch(() => ({}));
		throw new Error(body.detail ?? MESSAGES[response.status] ?? `The application answered with status ${response.status}. See its log.`);
	}
	return response;
}

export function post(address, body) {
	// Spring Security's cookie, if there is one.
	const token = document.cookie.match(/(?:^|; )XSRF-TOKEN=([^;]+)/)?.[1];
	return answer(fetch(address, { method: "POST", body: JSON.stringify(body), redirect: "manual",
		headers: { "Content-Type": "application/json", Accept: "application/json, application/problem+json",
			...(token && { "X-XSRF-TOKEN": decodeURIComponent(token) }) } }));
}
