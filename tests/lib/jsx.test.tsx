import { expect, test } from 'bun:test'
import { withNonce } from '#lib/jsx/jsx-runtime.ts'

const Act = () => (
  <p>
    <button hx-post="/act">Act</button>
    <i>still</i>
  </p>
)

test('PLT-21 every element that htmx reads has the nonce of its request, no other element does', () => {
  expect(withNonce('n1', Act)).toBe('<p><button hx-post="/act" hx-nonce="n1">Act</button><i>still</i></p>')
})

test('concurrently rendered requests keep their own nonces', async () => {
  const slow = (nonce: string, pause: number) =>
    withNonce(nonce, async () => {
      await Bun.sleep(pause)
      return Act()
    })
  const [first, second] = await Promise.all([slow('n1', 4), slow('n2', 1)])
  expect(first).toContain('hx-nonce="n1"')
  expect(second).toContain('hx-nonce="n2"')
})

test('attribute value survives rendering and parsing unchanged', () => {
  const text = 'Fish &amp; "chips" <b>'
  expect(String(<input value={text} />)).toBe('<input value="Fish &amp;amp; &#34;chips&#34; <b>"/>')
})
