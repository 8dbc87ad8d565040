import type { Member } from '#identity/types'
import { capitalize } from '#lib/text.ts'

type Role = Member['role']

export const memberRoles = ['viewer', 'reviewer', 'editor', 'admin', 'owner'] as const

const meanings: Record<Role, string> = {
  viewer: 'sees everything',
  reviewer: 'also approves posts',
  editor: 'also writes and schedules',
  admin: 'plus accounts, brands and members',
  owner: 'everything, including the organization',
}

export const roleName = (role: string): string => capitalize(role)

export const roleOptions = (roles: Role[]) =>
  roles.map((role) => ({ value: role, label: `${roleName(role)}: ${meanings[role]}` }))
