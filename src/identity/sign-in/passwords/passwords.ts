import { invalid } from '#lib/errors.ts'
import { runInQueue, type Waiter } from './hash-queue.ts'

/** argon2id at OWASP's minimum: 19,456 KiB, two passes, one lane (IDN-02). */
const argon2id = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** The hash of a password that no one has, so that unknown accounts take as long as known ones. */
const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$NDfHmhEgW4mZ9OqJrO8NpekcAUNQRGEvPCBb5unHsHM$eLL02asHfn4uqw7qRZ2KFydSmoQjRTqQyNwCgwGceMQ'

/** Of a `NewPassword`. @throws {Problem} 422 when it is the email address (IDN-02), 503 when too many wait */
export async function hashNewPassword(password: string, email: string, waiter: Waiter): Promise<string> {
  if (password.toLowerCase() === email.toLowerCase())
    throw invalid([{ path: 'password', message: 'Must be different from your email address.' }])
  return runInQueue(waiter, () => Bun.password.hash(password, argon2id))
}

/** False, after the same time, without a hash. @throws {Problem} 503 when too many wait */
export const verifyPassword = (password: string, hash: string | null | undefined, waiter: Waiter): Promise<boolean> =>
  runInQueue(waiter, async () => (await Bun.password.verify(password, hash ?? decoy)) && Boolean(hash))
