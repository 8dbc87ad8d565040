CREATE TABLE "dashboard"."checkouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"package" text NOT NULL,
	"seats" integer NOT NULL,
	"email" text NOT NULL,
	"organization_name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"subscription_id" uuid,
	"checkout_url" text,
	"expires_at" timestamp (3) with time zone,
	"problem" text,
	"organization_id" uuid,
	"person_id" uuid,
	"made_account" boolean,
	"apps" integer,
	"paid_at" timestamp (3) with time zone,
	"ready_at" timestamp (3) with time zone,
	"signed_in_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "checkouts_subscription" UNIQUE("subscription_id"),
	CONSTRAINT "checkouts_package" CHECK ("dashboard"."checkouts"."package" IN ('three', 'five', 'ten', 'everything', 'free')),
	CONSTRAINT "checkouts_seats" CHECK ("dashboard"."checkouts"."seats" > 0),
	CONSTRAINT "checkouts_state" CHECK ("dashboard"."checkouts"."state" IN ('open', 'paid', 'waiting', 'ready', 'abandoned', 'duplicate', 'refused')),
	CONSTRAINT "checkouts_ready" CHECK (("dashboard"."checkouts"."state" = 'ready') = ("dashboard"."checkouts"."ready_at" IS NOT NULL))
);
--> statement-breakpoint
CREATE TABLE "dashboard"."free_workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_type" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"status" text NOT NULL,
	"access" text NOT NULL,
	"state" jsonb NOT NULL,
	"sequence" integer NOT NULL,
	"applied_sequence" integer DEFAULT 0 NOT NULL,
	"verified_until" timestamp (3) with time zone,
	"received_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "free_workspaces_sequence" CHECK ("dashboard"."free_workspaces"."applied_sequence" <= "dashboard"."free_workspaces"."sequence")
);
--> statement-breakpoint
CREATE TABLE "dashboard"."platform_subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_type" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"package" text NOT NULL,
	"seats" integer NOT NULL,
	"status" text NOT NULL,
	"access" text NOT NULL,
	"state" jsonb NOT NULL,
	"sequence" integer NOT NULL,
	"applied_sequence" integer DEFAULT 0 NOT NULL,
	"suspended_apps" uuid[] DEFAULT '{}' NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "platform_subscriptions_sequence" CHECK ("dashboard"."platform_subscriptions"."applied_sequence" <= "dashboard"."platform_subscriptions"."sequence")
);
--> statement-breakpoint
CREATE TABLE "dashboard"."subscription_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subscription_id" uuid NOT NULL,
	"owner_type" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"type" text NOT NULL,
	"sequence" integer NOT NULL,
	"applied" boolean NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payments"."package_prices" DROP CONSTRAINT "package_prices_package";--> statement-breakpoint
ALTER TABLE "payments"."package_prices" DROP CONSTRAINT "package_prices_interval";--> statement-breakpoint
ALTER TABLE "payments"."subscription_changes" DROP CONSTRAINT "subscription_changes_package";--> statement-breakpoint
ALTER TABLE "payments"."subscriptions" DROP CONSTRAINT "subscriptions_package";--> statement-breakpoint
ALTER TABLE "payments"."subscriptions" DROP CONSTRAINT "subscriptions_owner";--> statement-breakpoint
DROP INDEX "payments"."subscriptions_open";--> statement-breakpoint
CREATE INDEX "checkouts_organization" ON "dashboard"."checkouts" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "checkouts_person" ON "dashboard"."checkouts" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "checkouts_email" ON "dashboard"."checkouts" USING btree ("email","created_at");--> statement-breakpoint
CREATE INDEX "checkouts_unsettled" ON "dashboard"."checkouts" USING btree ("checked_at","id") WHERE state IN ('open', 'paid', 'waiting');--> statement-breakpoint
CREATE INDEX "checkouts_expiry" ON "dashboard"."checkouts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "free_workspaces_owner" ON "dashboard"."free_workspaces" USING btree ("owner_type","owner_id","id");--> statement-breakpoint
CREATE INDEX "platform_subscriptions_owner" ON "dashboard"."platform_subscriptions" USING btree ("owner_type","owner_id","id");--> statement-breakpoint
CREATE INDEX "platform_subscriptions_unapplied" ON "dashboard"."platform_subscriptions" USING btree ("received_at") WHERE applied_sequence < sequence;--> statement-breakpoint
CREATE INDEX "subscription_events_owner" ON "dashboard"."subscription_events" USING btree ("owner_id","received_at");--> statement-breakpoint
CREATE INDEX "subscription_events_expiry" ON "dashboard"."subscription_events" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_open" ON "payments"."subscriptions" USING btree ("owner_type","organization_id",(package = 'free')) WHERE status <> 'canceled';--> statement-breakpoint
ALTER TABLE "payments"."package_prices" ADD CONSTRAINT "package_prices_package" CHECK (package IN ('three', 'five', 'ten', 'everything', 'free'));--> statement-breakpoint
ALTER TABLE "payments"."package_prices" ADD CONSTRAINT "package_prices_interval" CHECK ("payments"."package_prices"."interval" = CASE "payments"."package_prices"."package" WHEN 'free' THEN 'year' ELSE 'month' END);--> statement-breakpoint
ALTER TABLE "payments"."subscription_changes" ADD CONSTRAINT "subscription_changes_package" CHECK (package IN ('three', 'five', 'ten', 'everything', 'free'));--> statement-breakpoint
ALTER TABLE "payments"."subscriptions" ADD CONSTRAINT "subscriptions_package" CHECK (package IN ('three', 'five', 'ten', 'everything', 'free'));--> statement-breakpoint
ALTER TABLE "payments"."subscriptions" ADD CONSTRAINT "subscriptions_owner" CHECK ("payments"."subscriptions"."owner_type" IN ('organization', 'checkout'));--> statement-breakpoint
INSERT INTO payments.package_prices (id, package, currency, unit_amount, interval, active_from) VALUES
  (gen_random_uuid(), 'free', 'USD', 100, 'year', '2026-01-01T00:00:00Z');
