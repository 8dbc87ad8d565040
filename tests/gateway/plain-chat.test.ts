import { expect, test } from 'bun:test'
import { isPlainChat } from '../../src/gateway/ai/plain-chat.ts'
import { ChatRequest } from '../../src/gateway/providers/openai/chat-types.ts'

const messages = [{ role: 'user', content: 'Hello', name: 'ada' }]
const plain = { model: 'openai/gpt-4o-mini', messages }
const values = [undefined, null, true, 0, 1, 2.5, 128, 129, 1e300, 'x', '', [], {}, messages]
const fields = ['model', 'messages', 'stream', 'stream_options', 'tools', 'metadata', 'n', 'max_tokens', 'other']
const long = ['a'.repeat(241), 'a'.repeat(242), 'a b', 'é', 'a\n'].map((model) => ({ ...plain, model }))
const contents = [null, undefined, 7, [{ type: 'text', text: 'x' }], {}].map((content) => ({
  ...plain,
  messages: [...messages, { role: 'user', content }],
}))
const changed = [...fields, 'max_completion_tokens'].flatMap((name) =>
  values.map((value) => ({ ...plain, [name]: value })),
)
const all: unknown[] = [plain, null, 'x', [], [plain], { messages }, { model: 'x' }, ...long, ...contents, ...changed]

test('what counts as a plain chat request is what its schema takes unchanged', () => {
  const found = all.filter(isPlainChat)
  for (const given of found) expect(ChatRequest.parse(given)).toEqual(expect.objectContaining(Object(given)))
  expect(found.length).toBeGreaterThan(20)
  expect(isPlainChat(plain)).toBe(true)
})
