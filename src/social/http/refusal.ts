import type { RequestContext } from '#lib/request/context.ts'

/** Why a form was refused, on its page that is shown again without scripts. */
export const refusalOf = ({ refusedForm }: RequestContext): string | undefined =>
  refusedForm && (refusedForm.problem.errors?.[0]?.message ?? refusedForm.problem.detail)
