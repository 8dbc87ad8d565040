ALTER TABLE "payments"."subscription_forwards" DROP CONSTRAINT "subscription_forwards_state";--> statement-breakpoint
ALTER TABLE "payments"."subscription_changes" ADD COLUMN "is_free" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."subscriptions" ADD COLUMN "sent_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "payments"."subscription_forwards" ADD CONSTRAINT "subscription_forwards_state" CHECK ("payments"."subscription_forwards"."state" IN ('waiting', 'delivered', 'superseded', 'failed'));