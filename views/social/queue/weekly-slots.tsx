import type { Brand } from '#social/types'
import { ClockChanges, groupDays, nameOfDays } from '../brands/queue-slots.tsx'

/** When the slots are, which the settings of the brand change. */
export const WeeklySlots = ({ brand }: { brand: Brand }) => (
  <div class="page" style="--measure: 40rem">
    <section class="section" aria-labelledby="weekly-slots">
      <header>
        <h2 id="weekly-slots">Weekly slots</h2>
        {brand.can.update ? (
          <a class="link small" href={`/workspace/brands/${brand.id}#queue-slots`}>
            Change
          </a>
        ) : null}
      </header>
      {brand.queueSlots.length > 0 ? (
        <ul class="list">
          {groupDays(brand.queueSlots).map(({ days, times }) => (
            <li>
              <span class="grow" safe>
                {nameOfDays(days)}
              </span>
              <span class="row" data-wrap>
                {times.map((time) => (
                  <time class="chip" safe>
                    {time}
                  </time>
                ))}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">No slots yet.</p>
      )}
      <ClockChanges brand={brand} />
      <p class="small muted" safe>
        {`Slots of ${brand.name} are local times: 08:30 stays 08:30 when clocks change.`}
      </p>
    </section>
  </div>
)
