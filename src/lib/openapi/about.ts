/** Code is in backticks. */
export const about: readonly { title: string; text: string }[] = [
  {
    title: 'Credentials',
    text: 'Send an API key or access token as `Authorization: Bearer …`. Pages of this origin authenticate with the session cookie, and must send `Origin` or `Sec-Fetch-Site` with requests that change data. Each operation names the permission it requires, which comes from a role in the organization or a scope of the key.',
  },
  {
    title: 'Bodies',
    text: 'Send JSON or a form of at most 1 MiB (64 KiB without a credential), uncompressed; a form can have at most 1,000 fields. Unknown fields and parameters are rejected with 422. Field names are camelCase, times are RFC 3339 in UTC, and IDs are UUIDs. New fields may be added to responses at any time.',
  },
  {
    title: 'Lists',
    text: 'Lists accept `limit` (1 to 100, default 20) and `cursor`, and return `items` and `nextCursor`. A page can have fewer items than `limit`: continue until `nextCursor` is null. With `?format=` or `Accept` you can get CSV or NDJSON, which contain only the items; the `Link` header has the URL of the next page.',
  },
  {
    title: 'Idempotency',
    text: 'Send an `Idempotency-Key` header with a POST that creates something to retry it safely: within 24 hours, the same key returns the first response without repeating the work. POST requests with a streamed response reject the header with 422.',
  },
  {
    title: 'Tools',
    text: '`POST /mcp` is a Model Context Protocol server. Its tools are the operations that your credential can call (see `GET /api/actions/catalog`), with path, query and body parameters in one object.',
  },
  {
    title: 'Webhooks',
    text: 'Admins register a URL and events with `POST /api/webhooks`. Each event is sent as a POST, signed according to Standard Webhooks. Verify the signature, ignore a `webhook-id` that you already received, and respond with 2xx within 10 seconds. Other responses are retried up to ten times over about 75 hours; 410 disables the webhook. Events can arrive out of order.',
  },
  {
    title: 'Rate limits',
    text: 'The `RateLimit` header shows your remaining requests. When the limit is exceeded, the response is 429 and `Retry-After` says how many seconds to wait.',
  },
  {
    title: 'Errors',
    text: 'Errors are `application/problem+json` (RFC 9457) with a stable `code`, and a `requestId` to quote when you report a problem. Requests for objects in other organizations return 404, as if the objects didn’t exist.',
  },
]

export const aboutMarkdown = about.map(({ title, text }) => `**${title}.** ${text}`).join('\n\n')
