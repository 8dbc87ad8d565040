import type { PaymentSettings } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { AloneDialog } from '../alone-dialog.tsx'
import { money } from '../money.ts'
import { changesCeilings, settingsRoute } from './dialogs.tsx'

interface RaisedProps {
  settings: PaymentSettings
}

type RaisedCeiling = PaymentSettings['raised'][number]

const dialog = 'confirm-raised'

/** What waits for another person. */
export const Raised = ({ settings }: RaisedProps) => (
  <Notice
    tone="warning"
    title={settings.raised.length === 1 ? 'A raised ceiling isn’t confirmed' : 'Raised ceilings aren’t confirmed'}
    text={explanationOf(settings)}
  >
    <ul class="prose">
      {settings.raised.map((raised) => (
        <li class="wrap-anywhere" safe>
          {raisedText(settings, raised)}
        </li>
      ))}
    </ul>
    {settings.can.confirm ? <Confirm canAlone={settings.can.confirmAlone} /> : null}
  </Notice>
)

function explanationOf({ can }: PaymentSettings): string {
  if (can.confirmAlone) return 'No one else can confirm it. As the owner you can, with your second factor.'
  if (can.confirm) return 'Until you confirm it, the earlier ceiling applies to the person who raised it.'
  return 'Until another person confirms it, the earlier ceiling applies to the person who raised it.'
}

function raisedText(
  { refundCeilings, batchCeilings }: PaymentSettings,
  { of, currency, before, byName }: RaisedCeiling,
) {
  const now = new Map<string, number>(Object.entries(of === 'refunds' ? refundCeilings : batchCeilings)).get(currency)
  const name = of === 'refunds' ? 'Refunds' : 'Settlement batches'
  const change =
    now === undefined
      ? `removed, was ${money(before, currency)}`
      : `${money(before, currency)} → ${money(now, currency)}`
  return `${name} in ${currency}: ${change}, by ${byName ?? 'a former member'}`
}

const Confirm = ({ canAlone }: { canAlone: boolean }) => (
  <div class="actions">
    {canAlone ? (
      <>
        <Button label="Confirm" variant="primary" commandfor={dialog} command="show-modal" />
        <AloneDialog
          id={dialog}
          title="Confirm the raised ceilings alone?"
          submit="Confirm"
          codeId="confirm-code"
          hx-put={settingsRoute}
          {...changesCeilings}
        >
          <input type="hidden" name="confirmRaised" value="true" />
        </AloneDialog>
      </>
    ) : (
      <Button
        id="confirm-raised-button"
        label="Confirm"
        variant="primary"
        hx-put={settingsRoute}
        hx-vals={JSON.stringify({ confirmRaised: 'true' })}
        {...changesCeilings}
      />
    )}
  </div>
)
