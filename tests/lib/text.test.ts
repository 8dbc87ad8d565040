import { expect, test } from 'bun:test'
import { lineText } from '#lib/text.ts'

const Name = lineText(100)

test.each(['Ada\nLovelace', 'Ada\u0007', 'Ada \u202Eecalevol', 'Ada \u202Decalevol'])(
  'name that breaks its line or reverses the text after it is rejected: %j',
  (name) => expect(Name.safeParse(name).success).toBe(false),
)

test.each(['Ada Lovelace', 'مقهى أكمي', '\u202A+49 30 1234\u202C', 'رقم\u200F 5'])('name is accepted: %j', (name) =>
  expect(Name.safeParse(name).success).toBe(true),
)
