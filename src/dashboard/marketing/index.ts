import type { Module } from '#lib/module.ts'
import * as demoContract from './demo/contract.ts'
import * as demo from './demo/demo.operations.ts'
import { remindOfDemos } from './demo/remind.job.ts'
import * as inboxContract from './inbox/contract.ts'
import * as inbox from './inbox/inbox.operations.tsx'
import * as inboxPages from './inbox/inbox.pages.tsx'
import * as inquiryContract from './inquiries/contract.ts'
import * as inquiries from './inquiries/inquiries.operations.ts'
import { deleteExpiredInquiries } from './retention.ts'
import * as pages from './site/site.pages.tsx'
import * as waitlist from './waitlist/waitlist.operations.ts'
import * as waitlistPages from './waitlist/waitlist.pages.tsx'

export const marketingModule: Module = {
  operations: [inquiries, waitlist, demo, inbox],
  pages: [pages, waitlistPages, inboxPages],
  contracts: [
    {
      MessageReceipt: inquiryContract.MessageReceipt,
      WaitlistReceipt: inquiryContract.WaitlistReceipt,
      WaitlistEntry: inquiryContract.WaitlistEntry,
    },
    { InboxItem: inboxContract.InboxItem },
    {
      DemoSlot: demoContract.DemoSlot,
      DemoSlotList: demoContract.DemoSlotList,
      DemoBooking: demoContract.DemoBooking,
      DemoBookingDetail: demoContract.DemoBookingDetail,
    },
  ],
  jobs: [remindOfDemos, deleteExpiredInquiries],
  schedules: [
    { cron: '0 */10 * * * *', job: remindOfDemos },
    { cron: '0 27 * * * *', job: deleteExpiredInquiries },
  ],
}
