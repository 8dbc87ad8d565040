import type { NamedRoute, UsedModel, UseCase } from '#gateway/types'
import { Field, Form } from '#views/ui/form.tsx'
import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/overlays.tsx'
import { useCaseNames } from './words.ts'

/** The region that every change of models replaces. */
export const changesModels = { 'hx-target': '#models', 'hx-swap': 'outerMorph' } as const

export interface UseCaseChain {
  useCase: UseCase
  /** Null when nothing is set. */
  route: NamedRoute | null
  /** What the organization's own replaces. */
  platform: NamedRoute | null
}

export const chainDialog = (useCase: UseCase): string => `chain-${useCase}`

interface ChainDialogProps {
  chain: UseCaseChain
  organizationId: string
  /** Offered, besides any that is typed. */
  models: UsedModel[]
}

const places = ['First choice', 'If it fails', 'Then', 'Then', 'Last'] as const

export const ChainDialog = ({ chain: { useCase, route }, organizationId, models }: ChainDialogProps) => {
  const id = chainDialog(useCase)
  const form = `${id}-form`
  const url = `/api/organizations/${organizationId}/model-preferences`
  return (
    <Dialog id={id} title={`Models for ${useCaseNames[useCase].name.toLowerCase()}`}>
      <Form id={form} hx-put={url} {...changesModels}>
        <div class="body">
          <p class="muted">A model is called when the one before it fails or is busy. Name models as provider/model.</p>
          {places.map((label, at) => (
            <Field label={label} id={`${id}-${at}`}>
              <input
                class="input"
                id={`${id}-${at}`}
                name={`routes.${useCase}[]`}
                list={`${id}-models`}
                value={route?.models[at]}
                required={at === 0}
                autofocus={at === 0}
                autocomplete="off"
                autocapitalize="none"
                aria-label={`${label}, place ${at + 1}`}
                aria-describedby={`${id}-${at}-error`}
              />
            </Field>
          ))}
          <datalist id={`${id}-models`}>
            {models.map(({ provider, model }) => (
              <option value={`${provider}/${model}`} />
            ))}
          </datalist>
        </div>
      </Form>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={id} command="close" />
        {route?.setBy === 'organization' ? (
          <Form hx-put={url} {...changesModels}>
            <input type="hidden" name={`routes.${useCase}`} value="" />
            <Button label="Use the platform’s default" type="submit" />
          </Form>
        ) : null}
        <Button label="Save" variant="primary" type="submit" form={form} />
      </footer>
    </Dialog>
  )
}
