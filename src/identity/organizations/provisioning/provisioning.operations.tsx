import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { billingPlane } from '../entitlements/entitlements.ts'
import { Checkout, ProvisioningResult } from './contract.ts'
import { provision } from './provision.ts'

// Repeating the request is safe and returns a new link. Replays of an Idempotency-Key would omit links.
export const provisionFromCheckout = operation({
  route: 'POST /api/internal/provision-from-checkout',
  summary: 'Provision an organization from a checkout',
  ...billingPlane,
  input: Checkout,
  output: ProvisioningResult,
  answers: { 200: ProvisioningResult, 201: ProvisioningResult },
  problems: {
    workspace_suspended: 403,
    account_deletion_pending: 403,
    not_a_customer: 409,
    account_exists: 409,
    redirect_uri_mismatch: 422,
  },
  run: async (call) => {
    const provisioned = await provision(call, call.input)
    return reply(provisioned.created ? 201 : 200, provisioned)
  },
})
