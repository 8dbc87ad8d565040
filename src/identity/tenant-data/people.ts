import { sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import * as s from '../schema.ts'
import { byEmail, deviceLifetime, through, withPerson } from './rules.ts'

const ownHouseholds = (id: PgColumn) => through(id, s.householdMembers.householdId, s.householdMembers.userId)

export const peopleData: readonly TenantData[] = [
  tenantTable(s.users, {
    organization: (id) =>
      sql`${s.users.id} IN (SELECT ${s.memberships.userId} FROM ${s.memberships} WHERE ${s.memberships.organizationId} = ${id})`,
    person: s.users.id,
    export: ['id', 'email', 'emailVerifiedAt', 'name', 'principalType', 'createdAt'],
    // An erased person's row stays, without name and address, so that their content keeps an author.
    erasure: { organization: 'keep', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(s.appSwitcherPreferences, {
    person: s.appSwitcherPreferences.userId,
    export: ['favorites', 'hidden', 'tileSize', 'theme'],
    ...withPerson,
  }),
  tenantTable(s.personOnboardings, {
    person: s.personOnboardings.userId,
    export: ['steps', 'updatedAt'],
    ...withPerson,
  }),
  tenantTable(s.recoveryEmails, {
    person: s.recoveryEmails.userId,
    export: ['email', 'verifiedAt', 'createdAt'],
    erasure: { person: 'delete' },
    // Only addresses that were never verified have an expiry.
    retention: { after: s.recoveryEmails.expiresAt, ms: 0 },
  }),
  tenantTable(s.emailChanges, {
    person: s.emailChanges.userId,
    export: ['email', 'createdAt', 'expiresAt'],
    erasure: { person: 'delete' },
    retention: { after: s.emailChanges.expiresAt, ms: 0 },
  }),
  tenantTable(s.passkeys, {
    person: s.passkeys.userId,
    export: ['id', 'name', 'createdAt', 'lastUsedAt'],
    ...withPerson,
  }),
  tenantTable(s.upstreamIdentities, {
    organization: s.upstreamIdentities.provider,
    person: s.upstreamIdentities.userId,
    export: ['id', 'userId', 'provider', 'issuer', 'subject', 'domain', 'createdAt'],
    erasure: { organization: 'delete', person: 'delete' },
    retention: 'owner',
  }),
  tenantTable(s.sessions, {
    person: s.sessions.userId,
    export: ['id', 'organizationId', 'method', 'device', 'address', 'createdAt', 'lastUsedAt', 'expiresAt'],
    erasure: { organization: 'cascade', person: 'delete' },
    retention: { after: s.sessions.idleExpiresAt, ms: 0 },
  }),
  tenantTable(s.knownDevices, {
    person: s.knownDevices.userId,
    export: ['id', 'createdAt', 'lastUsedAt'],
    erasure: { person: 'delete' },
    retention: { after: s.knownDevices.lastUsedAt, ms: deviceLifetime },
  }),
  tenantTable(s.households, {
    person: ownHouseholds(s.households.id),
    export: ['id', 'name', 'createdAt'],
    // A household is deleted with its last member.
    erasure: { person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(s.householdMembers, {
    person: s.householdMembers.userId,
    export: ['householdId', 'userId', 'selected', 'createdAt'],
    ...withPerson,
  }),
  tenantTable(s.householdInvitations, {
    person: (id) => sql`(${s.householdInvitations.invitedBy} = ${id} OR ${byEmail(s.householdInvitations.email)(id)})`,
    export: ['id', 'householdId', 'email', 'invitedBy', 'createdAt', 'expiresAt'],
    erasure: { person: 'delete' },
    retention: { after: s.householdInvitations.expiresAt, ms: 0 },
  }),
  tenantTable(s.accountErasures, {
    person: s.accountErasures.userId,
    export: { never: 'It exists only once the account is being erased.' },
    ...withPerson,
  }),
  tenantTable(s.accountDeletions, {
    person: s.accountDeletions.userId,
    export: ['requestedAt', 'deletesAt'],
    ...withPerson,
  }),
]
