ALTER TABLE "platform"."mails" DROP CONSTRAINT "mails_state";--> statement-breakpoint
ALTER TABLE "platform"."mails" ADD COLUMN "route" text;--> statement-breakpoint
ALTER TABLE "platform"."mails" ADD CONSTRAINT "mails_state" CHECK ("platform"."mails"."state" IN ('waiting', 'handed', 'sent', 'refused', 'kept'));