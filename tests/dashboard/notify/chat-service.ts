/** Receives as the documentation of Slack and Discord says, and refuses fields that they don't name. */
export function openChatService() {
  const messages: { to: 'slack' | 'discord'; body: Record<string, unknown> }[] = []
  const faults: { status: number; retryAfter?: string }[] = []
  const refusals: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const fault = faults.shift()
      if (fault)
        return new Response('no', {
          status: fault.status,
          headers: fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter },
        })
      const to = new URL(request.url).pathname.startsWith('/api/webhooks/') ? 'discord' : 'slack'
      try {
        if (request.method !== 'POST') throw new Error('method')
        if (request.headers.get('content-type') !== 'application/json') throw new Error('content type')
        const body = await request.json()
        if (to === 'slack') checkSlack(body)
        else checkDiscord(body)
        messages.push({ to, body })
        return to === 'slack' ? new Response('ok') : new Response(null, { status: 204 })
      } catch (error) {
        refusals.push(String(error))
        return new Response('invalid_payload', { status: 400 })
      }
    },
  })
  return {
    messages,
    faults,
    refusals,
    slackUrl: `http://127.0.0.1:${server.port}/services/T01/B02/secret-of-slack`,
    discordUrl: `http://127.0.0.1:${server.port}/api/webhooks/1234567890/secret-of-discord`,
    close: () => server.stop(true),
  }
}

type Fields = Record<string, unknown>

function only(object: Fields, names: readonly string[]): void {
  for (const name of Object.keys(object)) if (!names.includes(name)) throw new Error(`unknown field ${name}`)
}

function text(value: unknown, max: number): string {
  if (typeof value !== 'string' || value.length === 0 || value.length > max)
    throw new Error(`not 1 to ${max} characters`)
  return value
}

function checkSlack(body: { text?: unknown; blocks?: { type: string; text: Fields }[] }): void {
  only(body, ['text', 'blocks'])
  if (/<[!@#]/.test(text(body.text, 40_000))) throw new Error('mentions someone')
  if (!Array.isArray(body.blocks) || body.blocks.length > 50) throw new Error('blocks')
  for (const block of body.blocks) {
    only({ ...block }, ['type', 'text'])
    only(block.text, ['type', 'text'])
    if (block.type !== 'section' || block.text['type'] !== 'mrkdwn') throw new Error('type')
    text(block.text['text'], 3_000)
  }
}

function checkDiscord(body: { content?: unknown; embeds?: Fields[]; allowed_mentions?: { parse?: unknown } }): void {
  only(body, ['content', 'embeds', 'allowed_mentions'])
  text(body.content, 2_000)
  if (JSON.stringify(body.allowed_mentions) !== '{"parse":[]}') throw new Error('mentions are allowed')
  if (!Array.isArray(body.embeds) || body.embeds.length > 10) throw new Error('embeds')
  let all = 0
  for (const embed of body.embeds) {
    only(embed, ['title', 'description', 'url', 'timestamp'])
    all += text(embed['title'], 256).length + text(embed['description'], 4_096).length
    if (!URL.canParse(String(embed['url'])) || Number.isNaN(Date.parse(String(embed['timestamp']))))
      throw new Error('embed')
  }
  if (all > 6_000) throw new Error('embeds are too long')
}
