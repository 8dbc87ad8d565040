import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecrets, readSecretsKey } from '#lib/secrets.ts'

const home = mkdtempSync(join(tmpdir(), 'atrium-secrets-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const key = (byte: number) => new Uint8Array(32).fill(byte)
const secrets = createSecrets(key(1))

test('PLT-22 encrypted text can be decrypted only with the same key and context', () => {
  const sealed = secrets.seal('the token', 'social.connections:1')
  expect(sealed).not.toContain('token')
  expect(createSecrets(key(1)).open(sealed, 'social.connections:1')).toBe('the token')
  expect(() => secrets.open(sealed, 'social.connections:2')).toThrow()
  expect(() => createSecrets(key(2)).open(sealed, 'social.connections:1')).toThrow('another key')
})

test('PLT-22 encrypting the same text twice gives different results', () => {
  expect(secrets.seal('the token', 'a')).not.toBe(secrets.seal('the token', 'a'))
})

test('PLT-22 encrypted text that was changed anywhere is rejected', () => {
  const sealed = secrets.seal('the token', 'a')
  const [id = '', wrapped = '', body = ''] = sealed.split('.')
  const changed = (part: string) => `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}`
  expect(() => secrets.open([id, changed(wrapped), body].join('.'), 'a')).toThrow()
  expect(() => secrets.open([id, wrapped, changed(body)].join('.'), 'a')).toThrow()
  expect(() => secrets.open('nonsense', 'a')).toThrow()
})

test('PLT-22 each purpose has its own key', () => {
  expect(secrets.derive('one')).toHaveLength(32)
  expect(secrets.derive('one')).toEqual(createSecrets(key(1)).derive('one'))
  expect(secrets.derive('one')).not.toEqual(secrets.derive('two'))
})

test('PLT-22 development key is created once in the data folder, readable only by its owner', () => {
  const folder = join(home, 'fresh', 'data')
  const made = readSecretsKey({ DATA_DIR: folder })
  expect(made).toHaveLength(32)
  expect(readSecretsKey({ DATA_DIR: folder })).toEqual(made)
  expect(statSync(join(folder, 'secrets.key')).mode & 0o777).toBe(0o600)
})

test('PLT-22 two servers that start at the same time create one key', async () => {
  const folder = join(home, 'race')
  const script = `import { readSecretsKey } from '#lib/secrets.ts'
    console.log(Buffer.from(readSecretsKey({ DATA_DIR: ${JSON.stringify(folder)} })).toString('hex'))`
  const servers = [1, 2, 3, 4].map(() => Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' }))
  const keys = await Promise.all(servers.map(({ stdout }) => new Response(stdout).text()))
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toBe(readFileSync(join(folder, 'secrets.key'), 'utf8'))
})

test('PLT-22 SECRETS_KEY takes precedence over the file, and startup fails with a message when the file is damaged', () => {
  expect(readSecretsKey({ SECRETS_KEY: '01'.repeat(32), DATA_DIR: home })).toEqual(key(1))
  writeFileSync(join(home, 'secrets.key'), 'oops')
  expect(() => readSecretsKey({ DATA_DIR: home })).toThrow('must contain 64 hexadecimal digits')
})
