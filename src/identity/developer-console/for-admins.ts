import type { TypedOperation } from '#lib/operation.ts'

/** A signed-in admin calls it directly, instead of a service by signed request. */
export const forAdmins = <Given, Result>(
  route: string,
  signedOperation: TypedOperation<Given, Result>,
  view = signedOperation.view,
): TypedOperation<Given, Result> => ({
  ...signedOperation,
  view,
  route,
  permission: 'role:admin',
  signed: undefined,
  callers: undefined,
})
