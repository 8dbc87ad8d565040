/** A refused or failed request. `code` is stable, and `members` has the whole problem document. */
export class IdentityProblem extends Error {
  /** @param {number} status @param {string} code @param {string} detail @param {Record<string, unknown>} [members] */
  constructor(status, code, detail, members = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.members = members
  }
}

/**
 * Sends a request to identity. Cookies are only sent to this origin.
 * @param {URL} url
 * @param {{ body?: unknown, token?: string }} given a body makes it a POST
 * @throws {IdentityProblem}
 */
export async function request(url, { body, token }) {
  const response = await fetch(url, {
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  }).catch(() => {
    throw new IdentityProblem(0, 'no_answer', 'The server couldn’t be reached. Check your connection and try again.')
  })
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  throw new IdentityProblem(
    response.status,
    answer.code ?? 'failed',
    answer.detail ?? 'Something went wrong. Try again.',
    answer,
  )
}
