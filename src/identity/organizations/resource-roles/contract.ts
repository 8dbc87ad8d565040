import { z } from 'zod'
import { withoutEmpty, plainText } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { Binding } from '../../api-keys/contract.ts'

/** Admins and owners always have access to the whole organization. */
const limitedRole = z.enum(['viewer', 'reviewer', 'editor'], 'Must be viewer, reviewer or editor.')

export const MemberResource = Binding.extend({
  service: plainText(100).describe('The slug of the service that the resource belongs to.'),
  role: limitedRole,
})
export type MemberResource = z.output<typeof MemberResource>

export const MemberResourcesEdit = z.object({
  id: Id,
  userId: Id,
  resources: withoutEmpty(
    z.array(MemberResource, 'Must be a list of resources.').max(100, 'Must have at most 100 resources.'),
    'role',
  ),
  unlimited: z
    .union([z.boolean(), z.stringbool()], 'Must be true or false.')
    .optional()
    .describe(
      'True removes the limits, regardless of `resources`. False rejects a request that would remove the last limit. If omitted, an empty list removes the limits.',
    ),
})
export type MemberResourcesEdit = z.output<typeof MemberResourcesEdit>

const Choice = MemberResource.omit({ role: true }).extend({ name: z.string() })

/** In other services there is no limit. */
export const MemberResources = z.object({
  items: z.array(
    MemberResource.extend({
      name: z.string().nullable().describe('Null for a resource that was deleted or moved to another organization.'),
    }),
  ),
  nextCursor: z.null(),
  choices: z
    .array(Choice)
    .nullable()
    .describe('The resources that you can limit the role to: the first 100 by name. Null if you can’t limit it.'),
})
export type MemberResources = z.output<typeof MemberResources>
