import { type FieldError, invalid } from '#lib/errors.ts'
import { requireNetworkAccess } from '../access.ts'
import * as brands from '../brands/brands.ts'
import type { BrandRow } from '../brands/brands.ts'
import type { ChangeCall } from '../change-call.ts'
import { networkOf } from '../networks/index.ts'
import { describeNoComments } from '../networks/limits.ts'
import { describeNoLinkPreviews, takesLinkPreviews } from '../networks/link-previews.ts'
import { commentErrors, linkErrors, networkErrors, requireAccount } from './checks.ts'
import { choosePlannedTime, chooseTime } from './choose-time.ts'
import type { PostDraft } from './input.ts'
import { describeRefusedOptions, plan, type PlannedPost, takesComments } from './plan.ts'
import { asDraft, asPlanned, asScheduled } from './transitions.ts'

interface Composable {
  brand: BrandRow
  planned: PlannedPost[]
}

/** Everything but its files and whether networks accept it. @throws {Problem} 403, 404 and 422 */
export async function requireComposable(call: ChangeCall, draft: PostDraft): Promise<Composable> {
  const brand = await brands.get(call.db, call.actor, draft.brandId)
  const planned = plan(call, draft, await stateOf(call, brand, draft))
  for (const { row } of planned) requireNetworkAccess(call.actor, row.provider)
  throwAny(planned.flatMap(({ row, paths }) => networkErrors(call.config, row.provider, paths.provider)))
  throwAny([...planned.flatMap(({ row, paths }) => commentErrors(row, paths.firstComment)), ...unusedComment(draft)])
  throwAny([...planned.flatMap(({ row, paths }) => linkErrors(row, paths.linkPreview)), ...unusedLink(draft)])
  await requireAccounts(call, planned)
  return { brand, planned }
}

async function stateOf({ db }: ChangeCall, brand: BrandRow, { status, scheduledAt, timeZone }: PostDraft) {
  if (!scheduledAt) return asDraft
  const choice = { scheduledAt, timeZone: timeZone ?? brand.timeZone }
  return status === 'scheduled'
    ? asScheduled(await chooseTime(db, brand, choice))
    : asPlanned(await choosePlannedTime(db, brand, choice))
}

/** @throws {Problem} 422 unless each target is another account of the brand */
async function requireAccounts({ db }: ChangeCall, planned: readonly PlannedPost[]): Promise<void> {
  const heads = planned.filter(({ row }) => !row.position)
  const known = new Map<string, number>()
  for (const [at, { row, paths }] of heads.entries()) {
    const { pageId, groupId, organizationId, accountId, threadAccountId } = row.target ?? {}
    const named = await requireAccount(db, row, paths.target)
    // A target can also name an account by its ID on the network.
    const account = named ?? accountId ?? threadAccountId ?? organizationId
    const place = JSON.stringify([row.provider, account, pageId, groupId])
    const first = known.get(place)
    if (first !== undefined)
      throw invalid([{ path: `targets.${at}`, message: `Must be a different account than targets.${first}.` }])
    known.set(place, at)
  }
}

/** @throws {Problem} 422 with each error once */
export function throwAny(errors: readonly FieldError[]): void {
  const each = new Map(errors.map((error) => [`${error.path} ${error.message}`, error]))
  if (each.size > 0) throw invalid([...each.values()])
}

function unusedComment({ firstComment, targets, youtube }: PostDraft): FieldError[] {
  if (!firstComment || !targets || targets.some((each) => takesComments(each, { youtube }))) return []
  const refusal = targets.map((each) => describeRefusedOptions(each, { youtube })).find((found) => found !== null)
  return [{ path: 'firstComment', message: refusal ?? describeNoComments(namesOf(targets)) }]
}

function unusedLink({ linkPreview, targets }: PostDraft): FieldError[] {
  if (!linkPreview || !targets || targets.some(takesLinkPreviews)) return []
  return [{ path: 'linkPreview', message: describeNoLinkPreviews(namesOf(targets)) }]
}

const namesOf = (targets: readonly Pick<NonNullable<PostDraft['targets']>[number], 'provider'>[]): string =>
  [...new Set(targets.map(({ provider }) => networkOf(provider)?.name ?? provider))].join(' and ')
