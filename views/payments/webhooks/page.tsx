import { Button } from '#views/ui/button.tsx'
import { DialogButtons, Dialog } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { TimesIn } from '#views/ui/time.tsx'
import { EndpointsDialog, endpointsDialog } from './endpoints.tsx'
import { ExportLink } from '../export-link.tsx'
import { Dates, FilterForm } from '../filters.tsx'
import {
  changesEvents,
  EventList,
  eventsRoute,
  isNarrowed,
  webhooksHref,
  webhooksPath,
  type EventListProps,
} from './list.tsx'

const replayDialog = 'replay-failed'

interface WebhooksProps extends EventListProps {
  canFindLost: boolean
}

export const WebhooksPage = ({ list, query, canFindLost, organizationId }: WebhooksProps) => (
  <>
    <PageHeader title="Webhooks" status={<TimesIn />}>
      <div class="actions">
        <ExportLink from={`${eventsRoute}/export`} query={query} />
        {list.can.replay ? (
          <>
            <Button
              label="Signing secrets"
              icon="key-round"
              variant="ghost"
              commandfor={endpointsDialog}
              command="show-modal"
            />
            {canFindLost ? (
              <Button
                id="find-lost"
                label="Find lost events"
                icon="search"
                hx-post={`${eventsRoute}/find-lost`}
                {...changesEvents}
                data-refresh="#provider-events"
              />
            ) : null}
            <Button label="Replay failed" icon="rotate-cw" commandfor={replayDialog} command="show-modal" />
          </>
        ) : null}
      </div>
    </PageHeader>
    <div class="page stack" style="--measure: none">
      <p class="muted prose">
        What the payment provider reports. An event is never applied twice, so replaying one is safe.
      </p>
      <Filters query={query} />
      <EventList list={list} query={query} organizationId={organizationId} />
    </div>
    {list.can.replay ? (
      <>
        <EndpointsDialog />
        <ReplayDialog />
      </>
    ) : null}
  </>
)

const Filters = ({ query }: Pick<EventListProps, 'query'>) => (
  <FilterForm
    label="Filter events"
    path={webhooksPath}
    search={{ placeholder: 'Object ID', value: query.q }}
    kept={{ state: query.state }}
    clear={isNarrowed(query) ? webhooksHref({ state: query.state }) : undefined}
  >
    <label class="input">
      <Icon name="tag" />
      <input type="search" name="type" placeholder="Type" aria-label="Type" value={query.type} maxlength={255} />
    </label>
    <Dates from={query.from} to={query.to} timeZone={query.timeZone} />
    <Button label="Filter" type="submit" />
  </FilterForm>
)

const ReplayDialog = () => (
  <Dialog id={replayDialog} title="Replay failed events?">
    <Form hx-post={`${eventsRoute}/replay-failed`} {...changesEvents} data-refresh="#provider-events">
      <div class="body">
        <p>The oldest 100 failed events are processed again, each at most once. Replay again for the rest.</p>
      </div>
      <DialogButtons dialog={replayDialog} submit="Replay" focusCancel />
    </Form>
  </Dialog>
)
