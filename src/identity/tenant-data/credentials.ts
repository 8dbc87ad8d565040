import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import * as s from '../schema.ts'
import { byEmail, credentials, day, shortLived, through, withPerson } from './rules.ts'

export const credentialData: readonly TenantData[] = [
  tenantTable(s.totpAuthenticators, {
    person: s.totpAuthenticators.userId,
    export: ['createdAt', 'confirmedAt'],
    ...withPerson,
  }),
  tenantTable(s.recoveryCodes, {
    person: s.recoveryCodes.userId,
    export: credentials,
    ...withPerson,
  }),
  tenantTable(s.secondFactorTries, {
    person: s.secondFactorTries.userId,
    export: shortLived,
    ...withPerson,
  }),
  tenantTable(s.deviceCodeTries, {
    person: through(s.deviceCodeTries.deviceId, s.knownDevices.id, s.knownDevices.userId),
    export: shortLived,
    erasure: { person: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(s.refreshTokens, {
    person: through(s.refreshTokens.sessionId, s.sessions.id, s.sessions.userId),
    export: credentials,
    erasure: { person: 'cascade' },
    retention: { after: s.refreshTokens.expiresAt, ms: 0 },
  }),
  tenantTable(s.passwordResets, {
    person: s.passwordResets.userId,
    export: credentials,
    erasure: { person: 'delete' },
    retention: { after: s.passwordResets.expiresAt, ms: 0 },
  }),
  tenantTable(s.magicLoginTokens, {
    person: s.magicLoginTokens.userId,
    export: credentials,
    erasure: { organization: 'cascade', person: 'delete' },
    retention: { after: s.magicLoginTokens.expiresAt, ms: 0 },
  }),
  tenantTable(s.passkeyChallenges, {
    person: s.passkeyChallenges.userId,
    export: shortLived,
    erasure: { person: 'delete' },
    retention: { after: s.passkeyChallenges.expiresAt, ms: 0 },
  }),
  tenantTable(s.proofCodes, {
    person: s.proofCodes.userId,
    export: shortLived,
    erasure: { person: 'delete' },
    retention: { after: s.proofCodes.expiresAt, ms: 0 },
  }),
  tenantTable(s.signInChallenges, {
    person: s.signInChallenges.userId,
    export: shortLived,
    erasure: { organization: 'cascade', person: 'delete' },
    retention: { after: s.signInChallenges.expiresAt, ms: 0 },
  }),
  tenantTable(s.ssoCodes, {
    person: s.ssoCodes.userId,
    export: shortLived,
    erasure: { organization: 'cascade', person: 'delete' },
    // A code that is used again within a day ends the session that it opened.
    retention: { after: s.ssoCodes.expiresAt, ms: day },
  }),
  tenantTable(s.upstreamSignIns, {
    organization: s.upstreamSignIns.provider,
    person: s.upstreamSignIns.userId,
    export: shortLived,
    erasure: { organization: 'delete', person: 'delete' },
    retention: { after: s.upstreamSignIns.expiresAt, ms: 0 },
  }),
  tenantTable(s.registrations, {
    person: byEmail(s.registrations.email),
    export: shortLived,
    erasure: { person: 'delete' },
    retention: { after: s.registrations.expiresAt, ms: 0 },
  }),
  tenantTable(s.superAdminLinks, {
    person: byEmail(s.superAdminLinks.email),
    export: shortLived,
    erasure: { person: 'delete' },
    retention: { after: s.superAdminLinks.expiresAt, ms: 0 },
  }),
  tenantTable(s.serviceKeys, {
    export: { never: 'It belongs to a service of the platform.' },
    // The creator's id stays after the erasure, without a name.
    erasure: { person: 'keep' },
    retention: 'owner',
  }),
]
