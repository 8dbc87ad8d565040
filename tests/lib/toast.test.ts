import { expect, test } from 'bun:test'
import { toastTrigger } from '#lib/toast.ts'

test('a toast travels in a header whatever it says', () => {
  const value = toastTrigger('Verschoben auf „Montag“ 🌍')
  expect(() => new Headers({ 'hx-trigger': value })).not.toThrow()
  expect(JSON.parse(value)).toEqual({
    toast: { target: 'body', message: 'Verschoben auf „Montag“ 🌍', tone: 'success' },
  })
})
