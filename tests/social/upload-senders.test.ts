import { expect, test } from 'bun:test'
import { Problem } from '#lib/errors.ts'
import { createSenders, type Senders } from '../../src/social/uploads/senders.ts'

const enter = (senders: Senders, organization: string) => {
  const ended: Problem[] = []
  return { leave: senders.enter(organization, (problem) => void ended.push(problem)), ended }
}
const refusal = (senders: Senders, organization: string) => {
  try {
    enter(senders, organization)
    return null
  } catch (error) {
    return error instanceof Problem && [error.status, error.code, error.options.headers?.['Retry-After']]
  }
}

test('SOC-30 an organization can send its maximum of uploads, and another once one has ended', () => {
  const senders = createSenders({ total: 10, perOrganization: 2 })
  const first = enter(senders, 'acme')
  enter(senders, 'acme')
  expect(refusal(senders, 'acme')).toEqual([423, 'uploads_in_progress', '5'])
  enter(senders, 'umbrella')
  first.leave()
  first.leave()
  expect(refusal(senders, 'acme')).toBeNull()
  expect(refusal(senders, 'acme')).toEqual([423, 'uploads_in_progress', '5'])
})

test('SOC-30 when all slots are taken, the organization with the most gives one to an organization with fewer', () => {
  const senders = createSenders({ total: 5, perOrganization: 4 })
  const ofAcme = Array.from({ length: 4 }, () => enter(senders, 'acme'))
  enter(senders, 'umbrella')
  expect(refusal(senders, 'initech')).toBeNull()
  expect(ofAcme.map(({ ended }) => ended.map(({ code }) => code))).toEqual([[], [], [], ['uploads_busy']])
  // Its slot was taken: leaving does not free another.
  ofAcme[3]?.leave()
  expect(refusal(senders, 'acme')).toEqual([503, 'uploads_busy', '5'])
  expect(refusal(senders, 'umbrella')).toBeNull()
  expect(refusal(senders, 'initech')).toEqual([503, 'uploads_busy', '5'])
  expect(ofAcme.map(({ ended }) => ended.length)).toEqual([0, 0, 1, 1])
})
