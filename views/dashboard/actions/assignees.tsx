import type { AssigneeList, Notification } from '#dashboard/types'
import { Icon } from '#views/ui/icon.tsx'
import { MenuItem } from '#views/ui/overlays.tsx'

const menuId = (id: string) => `assign-${id}`

/** Its people are loaded when it opens. */
export const AssignMenu = ({ id }: Pick<Notification, 'id'>) => (
  <>
    <MenuItem label="Assign to…" icon="users" popovertarget={menuId(id)} />
    <div class="popover menu" id={menuId(id)} popover hx-get={`/api/notifications/${id}/assignees`} hx-trigger="open" />
  </>
)

interface AssigneesProps {
  id: string
  list: AssigneeList
  /** What was searched for; null for the menu as it opens. */
  q: string | null
}

/** The menu as it opens, or the people of a search in it. */
export const Assignees = ({ id, list, q }: AssigneesProps) =>
  q === null ? (
    <>
      <h3>Assign to</h3>
      {list.more ? <PeopleSearch id={id} /> : null}
      <People id={id} list={list} />
    </>
  ) : (
    <People id={id} list={list} />
  )

const peopleId = (id: string) => `people-${id}`

const PeopleSearch = ({ id }: Pick<AssigneesProps, 'id'>) => (
  <label class="input">
    <Icon name="search" />
    <input
      type="search"
      name="q"
      aria-label="Search people"
      placeholder="Search people"
      autocomplete="off"
      hx-get={`/api/notifications/${id}/assignees`}
      hx-trigger="input changed delay:500ms"
      hx-target={`#${peopleId(id)}`}
      hx-swap="outerHTML"
      hx-sync="this:replace"
    />
  </label>
)

const People = ({ id, list: { items, more } }: Omit<AssigneesProps, 'q'>) => (
  <div class="people" id={peopleId(id)}>
    {items.map((person) => (
      <MenuItem
        label={person.name}
        icon="user"
        hx-post={`/api/notifications/${id}/assign`}
        hx-vals={JSON.stringify({ personId: person.id })}
        hx-swap="none"
        hx-headers={JSON.stringify({ Prefer: 'return=minimal' })}
        popovertarget={`menu-${id}`}
        popovertargetaction="hide"
      />
    ))}
    {items.length === 0 ? <p class="small muted">No one who can see this action has that name.</p> : null}
    {more ? <p class="small muted">Search to find more people.</p> : null}
  </div>
)
