import { ReceivedProvision } from '../contract.ts'
import { EntitlementState, Seats } from '../organizations/entitlements/contract.ts'
import { ReceivedOnboarding } from '../organizations/onboarding/contract.ts'
import { ReceivedProvisioning } from '../organizations/provisioning/contract.ts'
import type { IdentityClient } from './client.ts'
import { changingHeaders } from './headers.ts'
import { dashboardSlug, type Requests } from './requests.ts'

type Plans = Pick<
  IdentityClient,
  | 'provisionGateway'
  | 'provision'
  | 'entitlement'
  | 'replaceEntitlement'
  | 'seats'
  | 'usedSeats'
  | 'finishOnboardingStep'
>

/** `isLocal`: in identity's own process, where links can begin with the origin of the request. */
export function createPlans({ fetchJson, requestAsService }: Requests, isLocal: boolean): Plans {
  return {
    provisionGateway: (organizationId) =>
      requestAsService(ReceivedProvision, `/api/internal/organizations/${organizationId}/gateway-access`, {
        service: 'platform-gateway',
        sent: {},
        refusals: [403, 404],
      }),
    provision: (sent, here) => {
      const path = '/api/internal/provision-from-checkout'
      return requestAsService(ReceivedProvisioning, isLocal && here !== null ? here + path : path, {
        service: dashboardSlug,
        method: 'POST',
        sent,
        refusals: [403, 409],
      })
    },
    entitlement: (organizationId) =>
      requestAsService(EntitlementState, `/api/internal/organizations/${organizationId}/entitlement`, {
        service: dashboardSlug,
      }),
    replaceEntitlement: (organizationId, sent) =>
      requestAsService(EntitlementState, `/api/internal/organizations/${organizationId}/entitlement`, {
        service: dashboardSlug,
        sent,
        refusals: [404],
      }),
    seats: (organizationId) =>
      requestAsService(Seats, `/api/internal/organizations/${organizationId}/seats`, { service: dashboardSlug }),
    usedSeats: async (organizationId) => {
      const path = `/api/internal/organizations/${organizationId}/seats`
      return (await requestAsService(Seats, path, { service: 'platform-pay' })).used
    },
    finishOnboardingStep: async (presented, { organizationId, serviceId: service, step }) => {
      const path = `/api/organizations/${organizationId}/services/${service}/onboarding/${step}`
      const sent = { outcome: 'done' }
      await fetchJson(ReceivedOnboarding, path, changingHeaders(presented), { sent, refusals: [403, 404, 409] })
    },
  }
}
