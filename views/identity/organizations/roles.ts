import type { Member } from '#identity/types'
import { capitalize } from '#lib/text.ts'

type Role = Member['role']

export const memberRoles = ['viewer', 'reviewer', 'editor', 'admin', 'owner'] as const

const meanings: Record<Role, string> = {
  viewer: 'view only',
  reviewer: 'view and approve posts',
  editor: 'write, schedule and approve posts',
  admin: 'manage brands, accounts and members',
  owner: 'full access',
}

export const roleName = (role: string): string => capitalize(role)

export const withArticle = (role: string): string => (/^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`)

export const roleOptions = (roles: Role[]) =>
  roles.map((role) => ({ value: role, label: `${roleName(role)}: ${meanings[role]}` }))

const see = 'See brands, accounts and posts'
const write = 'Write and schedule posts'
const manage = 'Manage brands, accounts and members'
const own = 'Change sign-in rules, or delete the organization'

const included: Record<Role, string[]> = {
  viewer: [see],
  reviewer: [see],
  editor: [see, write],
  admin: [see, write, manage],
  owner: [see, write, manage, own],
}

/** What a role can do, and the first thing that it can't. */
export function promisesOf(role: Role): { text: string; included: boolean }[] {
  const missing = [write, manage, own].find((text) => !included[role].includes(text))
  return [
    ...included[role].map((text) => ({ text, included: true })),
    ...(missing ? [{ text: missing, included: false }] : []),
  ]
}
