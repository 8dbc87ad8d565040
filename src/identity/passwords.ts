import { invalid, type Problem } from '#lib/errors.ts'
import { isBreached } from './breached-passwords.ts'
import { runInQueue, type Waiter } from './hash-queue.ts'

/** argon2id at OWASP's minimum: 19,456 KiB, two passes, one lane (IDN-02). */
const argon2id = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** The hash of no one's password, so that an unknown account takes as long as a known one. */
const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$NDfHmhEgW4mZ9OqJrO8NpekcAUNQRGEvPCBb5unHsHM$eLL02asHfn4uqw7qRZ2KFydSmoQjRTqQyNwCgwGceMQ'

/**
 * The argon2id hash of the password that somebody chose for the account of this e-mail address. Throws 422 when it is
 * that address or commonly known (IDN-02), 503 when too many wait.
 */
export async function hashNewPassword(password: string, email: string, waiter: Waiter): Promise<string> {
  if (password.toLowerCase() === email.toLowerCase())
    throw passwordError('The password must differ from the e-mail address.')
  if (await isBreached(password))
    throw passwordError(
      'This password is known from leaks, so it is guessed first. Choose another: three or four words will do.',
    )
  return runInQueue(waiter, () => Bun.password.hash(password, argon2id))
}

const passwordError = (message: string): Problem => invalid([{ path: 'password', message }])

/** Whether it is the password; false after the same time where there is none. Throws 503 when too many wait. */
export const verifyPassword = (password: string, hash: string | null | undefined, waiter: Waiter): Promise<boolean> =>
  runInQueue(waiter, async () => (await Bun.password.verify(password, hash ?? decoy)) && Boolean(hash))
