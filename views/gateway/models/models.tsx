import type { Governance, NamedRoute } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { Candidates } from './candidates.tsx'
import { Chain } from './chain.tsx'
import { chainDialog, ChainDialog, type UseCaseChain } from './chain-dialog.tsx'
import { ModelNotices } from './notices.tsx'
import { Sources } from './sources.tsx'
import { UsedModels } from './used-models.tsx'
import { useCaseNames } from './words.ts'
import { actions, DataTable } from '#views/ui/data-table.tsx'

interface OfGovernance {
  governance: Governance
}

/** Models in use, what they are used for, and where their data comes from. */
export const Models = ({ governance }: OfGovernance) => {
  const chains = chainsOf(governance)
  return (
    <div id="models" class="stack">
      <ModelNotices governance={governance} />
      <UseCases chains={chains} canUpdate={governance.can.update} />
      <UsedModels models={governance.lifecycle} />
      <div class="sides">
        <Candidates candidates={governance.candidates} />
        <Sources sources={governance.sources} />
      </div>
      {governance.can.update
        ? chains.map((chain) => (
            <ChainDialog chain={chain} organizationId={governance.organizationId} models={governance.lifecycle} />
          ))
        : null}
    </div>
  )
}

const useCases = ['text', 'short-text', 'image', 'transcription', 'embedding'] as const

const chainsOf = ({ platformDefaults, overrides }: Governance): UseCaseChain[] =>
  useCases.map((useCase) => {
    const of = (routes: NamedRoute[]) => routes.find((route) => route.useCase === useCase) ?? null
    const platform = of(platformDefaults)
    return { useCase, route: of(overrides) ?? platform, platform }
  })

const UseCases = ({ chains, canUpdate }: { chains: UseCaseChain[]; canUpdate: boolean }) => (
  <section class="card" aria-labelledby="use-cases">
    <header>
      <h2 id="use-cases">Use cases</h2>
      <small>Your choice overrides the platform’s default</small>
    </header>
    <DataTable
      name="model-table"
      caption="Use cases and their models"
      columns={['Use case', 'Models, in order', 'Set by', actions]}
    >
      <tbody>
        {chains.map((chain) => (
          <UseCaseRow chain={chain} canUpdate={canUpdate} />
        ))}
      </tbody>
    </DataTable>
  </section>
)

const UseCaseRow = ({
  chain: { useCase, route, platform },
  canUpdate,
}: {
  chain: UseCaseChain
  canUpdate: boolean
}) => (
  <tr>
    <td data-at="title">
      <b safe>{useCaseNames[useCase].name}</b>
      <small safe>{useCaseNames[useCase].of}</small>
    </td>
    <td data-at="sub">{route ? <Chain models={route.models} /> : <span class="muted">No model</span>}</td>
    <td class="wide-only">
      <SetBy route={route} platform={platform} />
    </td>
    <td data-at="menu">
      {canUpdate ? (
        <Button
          label="Change"
          size="sm"
          aria-label={`Change the models for ${useCaseNames[useCase].name}`}
          commandfor={chainDialog(useCase)}
          command="show-modal"
        />
      ) : null}
    </td>
  </tr>
)

const SetBy = ({ route, platform }: Pick<UseCaseChain, 'route' | 'platform'>) => {
  if (!route) return <span class="muted">–</span>
  const isOwn = route.setBy === 'organization'
  const words = isOwn ? 'Your organization' : route.setBy === 'platform' ? 'Platform' : 'Default'
  return (
    <>
      <Badge label={words} tone={isOwn ? 'accent' : undefined} />
      {isOwn ? (
        <small class="why wrap-anywhere">
          {route.updatedByName ? <span safe>{`${route.updatedByName}, `}</span> : null}
          {route.updatedAt ? <Time at={route.updatedAt} form="shortDay" /> : null}
          {platform ? <span safe>{`. Platform default: ${platform.models[0] ?? 'none'}`}</span> : null}
        </small>
      ) : null}
    </>
  )
}
