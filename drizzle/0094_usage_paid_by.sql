ALTER TABLE "gateway"."usage_daily" DROP CONSTRAINT "usage_daily_key";--> statement-breakpoint
ALTER TABLE "gateway"."usage_daily" ALTER COLUMN "cost_nano_usd" SET DATA TYPE numeric;--> statement-breakpoint
ALTER TABLE "gateway"."budget_holds" ADD COLUMN "paid_by" text DEFAULT 'platform' NOT NULL;--> statement-breakpoint
ALTER TABLE "gateway"."usage_daily" ADD COLUMN "paid_by" text DEFAULT 'platform' NOT NULL;--> statement-breakpoint
ALTER TABLE "gateway"."usage_logs" ADD COLUMN "paid_by" text DEFAULT 'platform' NOT NULL;--> statement-breakpoint
ALTER TABLE "gateway"."usage_daily" ADD CONSTRAINT "usage_daily_key" UNIQUE NULLS NOT DISTINCT("organization_id","day","family","provider","model","unit","application_id","api_key_id","user_id","paid_by");--> statement-breakpoint
ALTER TABLE "gateway"."budget_holds" ADD CONSTRAINT "budget_holds_paid_by" CHECK ("gateway"."budget_holds"."paid_by" IN ('platform', 'organization'));--> statement-breakpoint
ALTER TABLE "gateway"."usage_daily" ADD CONSTRAINT "usage_daily_paid_by" CHECK ("gateway"."usage_daily"."paid_by" IN ('platform', 'organization'));--> statement-breakpoint
ALTER TABLE "gateway"."usage_logs" ADD CONSTRAINT "usage_logs_paid_by" CHECK ("gateway"."usage_logs"."paid_by" IN ('platform', 'organization'));