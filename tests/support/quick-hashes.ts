// Loaded before tests and before the servers that they start: a run hashes some thousand passwords, and each would take
// 19 MB and 30 ms of a core. Tests of this cost set TEST_REAL_HASHES.

const { hash } = Bun.password
const quick = { algorithm: 'argon2id', memoryCost: 64, timeCost: 1 } as const

Bun.password.hash = (password, algorithm) => hash(password, process.env['TEST_REAL_HASHES'] ? algorithm : quick)
