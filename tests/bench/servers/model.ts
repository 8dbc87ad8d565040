// The least provider that answers a chat completion: the same 341 bytes to every request.

const completion = JSON.stringify({
  id: 'chatcmpl-9x2Rk0pQmVbT7nYc4LwE1sHd',
  object: 'chat.completion',
  created: 1_763_800_000,
  model: 'gpt-4o-mini',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Hello! How can I help you today?' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 14, completion_tokens: 9, total_tokens: 23 },
  system_fingerprint: 'fp_0a1b2c3d4e',
})
const headers = { 'content-type': 'application/json' }

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    await request.arrayBuffer()
    return new Response(completion, { headers })
  },
})
console.log(server.url.href)
