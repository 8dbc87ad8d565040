import { z } from 'zod'
import { roles } from '#lib/actor.ts'
import { plainText } from '#lib/text.ts'
import { isBreached } from '../sign-in/passwords/breached-passwords.ts'

export const Role = z.enum(roles)
export const principalType = z.enum(['user', 'agent', 'service', 'platform_super_admin'])

/** An email address. `.invalid` never receives mail (RFC 2606), and has the addresses of agents and erased people. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'Must have at most 254 characters.')
  .pipe(
    z
      .email('Must be an email address, such as ada@example.com.')
      .refine((address) => !address.endsWith('.invalid'), 'Must not end in .invalid, which can’t receive email.'),
  )

export const name = (what: string) => plainText(100, `Enter ${what}.`).trim().min(1, `Enter ${what}.`)

/** JSON's `true`, or the words that forms and queries send. */
export const Flag = z.union([z.boolean(), z.stringbool()]).default(false)

export const Slug = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{1,46}[a-z0-9]$/,
    'Must be 3 to 48 lowercase letters, digits or hyphens, such as acme-coffee, and start and end with a letter or digit.',
  )

/** The slug of the super admins’ organization (IDN-16). */
export const adminOrganization = 'admin'

/** The permission `posts:read` has the scope `posts.read`. */
export const permissionOf = (scope: string): string => scope.replace('.', ':')

export const scopeOf = (permission: string): string => permission.replace(':', '.')

/** Long enough for `/sso/authorize` with a service's URL and state. */
export const next = z.string().max(6000).optional()

/** A value that is too long is ignored. */
export const nextPage = next.catch(undefined)

const minLength = 10
const maxLength = 256

/** NFKC, so that different keyboards produce the same password. */
export const normalizePassword = (password: string): string => password.normalize('NFKC')

/** Judged with the other fields, so that people correct all of them at once (IDN-02). */
export const NewPassword = z
  .string()
  .transform(normalizePassword)
  .refine((password) => [...password].length >= minLength, {
    error: `Enter at least ${minLength} characters.`,
    abort: true,
  })
  .refine((password) => [...password].length <= maxLength, {
    error: `Enter at most ${maxLength} characters.`,
    abort: true,
  })
  .refine(
    async (password) => !(await isBreached(password)),
    'This password has appeared in a data breach. Try three or four random words.',
  )
