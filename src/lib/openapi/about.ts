/** What holds for every operation; code stands in backticks. */
export const about: readonly { title: string; text: string }[] = [
  {
    title: 'Credentials',
    text: 'Send `Authorization: Bearer …`. Browsers of this origin send their session’s cookie instead, and with it `Origin` or `Sec-Fetch-Site` where they change something. An operation names the permission that it needs; a role of the organization, or a key’s scope, carries it.',
  },
  {
    title: 'Bodies',
    text: 'JSON or forms of at most 1 MiB, without a credential 64 KiB, not compressed; a form has at most 1,000 fields. A field or parameter that an operation doesn’t name is 422. Names are camelCase, times RFC 3339 in UTC, ids UUIDs. Answers may gain fields.',
  },
  {
    title: 'Lists',
    text: 'They take `limit` (1 to 100, 20 when not said) and `cursor`, and answer `items` and `nextCursor`, which is null at the end. A page can hold fewer: go on until then. As CSV or NDJSON, by `?format=` or `Accept`, a page is its items alone, and the next one is where `Link` says.',
  },
  {
    title: 'Doing it once',
    text: 'A creating POST takes an `Idempotency-Key`: the same request sent again within 24 hours is answered, not done, again. Where the answer of a POST is streamed, a key is refused (422).',
  },
  {
    title: 'Tools',
    text: '`POST /mcp` speaks the Model Context Protocol: what the credential may call, as `GET /api/actions/catalog` tells, with path, query and body as one object.',
  },
  {
    title: 'Webhooks',
    text: 'An admin names an address and events at `POST /api/webhooks`. Each event is a POST signed as Standard Webhooks describe it: verify it, drop a `webhook-id` that you have, and answer 2xx within 15 seconds. Other answers are tried again, ten times over about 75 hours; 410 disables the webhook. Order is not promised.',
  },
  {
    title: 'Limits',
    text: '`RateLimit` tells what is left. Beyond it the answer is 429, and `Retry-After` says when to go on.',
  },
  {
    title: 'Problems',
    text: 'Whatever is refused or fails is `application/problem+json` (RFC 9457) with a stable `code` and the `requestId` to ask after. What belongs to another organization is 404, like what doesn’t exist.',
  },
]

/** The same in Markdown. */
export const aboutMarkdown = about.map(({ title, text }) => `**${title}.** ${text}`).join('\n\n')
