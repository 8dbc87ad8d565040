/** What holds for every operation, in Markdown. */
export const about = `One contract for programs and for the browser app: both call the same operations.

**Credentials.** Send \`Authorization: Bearer …\`. Browsers of this origin send their session's cookie instead.
An operation names the permission that it needs; a role of the organization, or a key's scope, carries it.

**Bodies** are JSON or forms of at most 1 MiB; names are camelCase, times RFC 3339 in UTC, ids UUIDs.

**Lists** take \`limit\` (1 to 100, 20 when not said) and \`cursor\`, and answer \`items\` and \`nextCursor\`.

**Doing it once.** A creating POST takes an \`Idempotency-Key\`: the same request sent again is answered, not done, again.

**Problems** are \`application/problem+json\` (RFC 9457) with a stable \`code\` and the \`requestId\` to ask after.
What belongs to another organization is 404, like what doesn't exist.`
