ALTER TABLE "gateway"."budget_differences" ADD COLUMN "server_id" uuid;--> statement-breakpoint
ALTER TABLE "gateway"."gateway_servers" ADD COLUMN "journals_first" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "gateway"."limits_version" ADD COLUMN "journal_first_until" timestamp (3) with time zone DEFAULT to_timestamp(0) NOT NULL;