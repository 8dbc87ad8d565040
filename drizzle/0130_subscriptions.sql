CREATE TABLE "payments"."package_prices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"package" text NOT NULL,
	"currency" text NOT NULL,
	"unit_amount" bigint NOT NULL,
	"interval" text DEFAULT 'month' NOT NULL,
	"active_from" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "package_prices_active_from" UNIQUE("package","currency","active_from"),
	CONSTRAINT "package_prices_package" CHECK (package IN ('three', 'five', 'ten', 'everything')),
	CONSTRAINT "package_prices_amount" CHECK ("payments"."package_prices"."unit_amount" > 0),
	CONSTRAINT "package_prices_interval" CHECK ("payments"."package_prices"."interval" = 'month')
);
--> statement-breakpoint
CREATE TABLE "payments"."provider_prices" (
	"price_id" uuid NOT NULL,
	"account_key" text NOT NULL,
	"provider_price_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "provider_prices_price_id_account_key_pk" PRIMARY KEY("price_id","account_key")
);
--> statement-breakpoint
CREATE TABLE "payments"."subscription_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"package" text NOT NULL,
	"seats" integer NOT NULL,
	"price_id" uuid NOT NULL,
	"proration_date" timestamp (3) with time zone NOT NULL,
	"amount_due" bigint NOT NULL,
	"state" text DEFAULT 'sending' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "subscription_changes_package" CHECK (package IN ('three', 'five', 'ten', 'everything')),
	CONSTRAINT "subscription_changes_amounts" CHECK ("payments"."subscription_changes"."seats" > 0 AND "payments"."subscription_changes"."amount_due" >= 0),
	CONSTRAINT "subscription_changes_state" CHECK ("payments"."subscription_changes"."state" IN ('sending', 'done', 'refused')),
	CONSTRAINT "subscription_changes_settled" CHECK (("payments"."subscription_changes"."settled_at" IS NULL) = ("payments"."subscription_changes"."state" = 'sending'))
);
--> statement-breakpoint
CREATE TABLE "payments"."subscription_forwards" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_status" integer,
	"problem" text,
	"next_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "subscription_forwards_sequence" UNIQUE("subscription_id","sequence"),
	CONSTRAINT "subscription_forwards_state" CHECK ("payments"."subscription_forwards"."state" IN ('waiting', 'delivered', 'failed')),
	CONSTRAINT "subscription_forwards_next" CHECK (("payments"."subscription_forwards"."next_attempt_at" IS NOT NULL) = ("payments"."subscription_forwards"."state" = 'waiting'))
);
--> statement-breakpoint
CREATE TABLE "payments"."subscription_invoices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"provider_invoice_id" text NOT NULL,
	"number" text,
	"status" text NOT NULL,
	"reason" text,
	"currency" text NOT NULL,
	"total" bigint NOT NULL,
	"amount_due" bigint NOT NULL,
	"amount_paid" bigint NOT NULL,
	"attempts" integer NOT NULL,
	"period_starts_at" timestamp (3) with time zone NOT NULL,
	"period_ends_at" timestamp (3) with time zone NOT NULL,
	"url" text,
	"pdf_url" text,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	CONSTRAINT "subscription_invoices_provider" UNIQUE("subscription_id","provider_invoice_id"),
	CONSTRAINT "subscription_invoices_status" CHECK ("payments"."subscription_invoices"."status" IN ('draft', 'open', 'paid', 'uncollectible', 'void'))
);
--> statement-breakpoint
CREATE TABLE "payments"."subscription_notices" (
	"subscription_id" uuid NOT NULL,
	"step" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "subscription_notices_subscription_id_step_pk" PRIMARY KEY("subscription_id","step")
);
--> statement-breakpoint
CREATE TABLE "payments"."subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_type" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"package" text NOT NULL,
	"seats" integer NOT NULL,
	"price_id" uuid NOT NULL,
	"account_key" text NOT NULL,
	"status" text DEFAULT 'incomplete' NOT NULL,
	"access" text DEFAULT 'none' NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"trial_days" integer,
	"success_url" text NOT NULL,
	"cancel_url" text NOT NULL,
	"checkout_session_id" text,
	"checkout_url" text,
	"checkout_expires_at" timestamp (3) with time zone,
	"provider_customer_id" text,
	"payment_method_id" text,
	"provider_subscription_id" text,
	"trial_ends_at" timestamp (3) with time zone,
	"current_period_starts_at" timestamp (3) with time zone,
	"current_period_ends_at" timestamp (3) with time zone,
	"cancel_at_period_end" boolean DEFAULT false NOT NULL,
	"cancel_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"past_due_since" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"last_failure" text,
	"last_sequence" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "subscriptions_provider" UNIQUE("provider_subscription_id","account_key"),
	CONSTRAINT "subscriptions_session" UNIQUE("checkout_session_id","account_key"),
	CONSTRAINT "subscriptions_package" CHECK (package IN ('three', 'five', 'ten', 'everything')),
	CONSTRAINT "subscriptions_owner" CHECK ("payments"."subscriptions"."owner_type" = 'organization'),
	CONSTRAINT "subscriptions_seats" CHECK ("payments"."subscriptions"."seats" > 0),
	CONSTRAINT "subscriptions_status" CHECK ("payments"."subscriptions"."status" IN ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'canceled', 'paused')),
	CONSTRAINT "subscriptions_access" CHECK ("payments"."subscriptions"."access" IN ('none', 'full', 'read_only', 'ended')),
	CONSTRAINT "subscriptions_ended" CHECK (("payments"."subscriptions"."ended_at" IS NOT NULL) = ("payments"."subscriptions"."status" = 'canceled')),
	CONSTRAINT "subscriptions_dunning" CHECK ("payments"."subscriptions"."past_due_since" IS NULL OR "payments"."subscriptions"."status" IN ('past_due', 'unpaid'))
);
--> statement-breakpoint
ALTER TABLE "payments"."provider_prices" ADD CONSTRAINT "provider_prices_price_id_package_prices_id_fk" FOREIGN KEY ("price_id") REFERENCES "payments"."package_prices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."subscription_changes" ADD CONSTRAINT "subscription_changes_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "payments"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."subscription_changes" ADD CONSTRAINT "subscription_changes_price_id_package_prices_id_fk" FOREIGN KEY ("price_id") REFERENCES "payments"."package_prices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."subscription_forwards" ADD CONSTRAINT "subscription_forwards_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "payments"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."subscription_invoices" ADD CONSTRAINT "subscription_invoices_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "payments"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."subscription_notices" ADD CONSTRAINT "subscription_notices_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "payments"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."subscriptions" ADD CONSTRAINT "subscriptions_price_id_package_prices_id_fk" FOREIGN KEY ("price_id") REFERENCES "payments"."package_prices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_changes_sending" ON "payments"."subscription_changes" USING btree ("subscription_id") WHERE state = 'sending';--> statement-breakpoint
CREATE INDEX "subscription_changes_of" ON "payments"."subscription_changes" USING btree ("subscription_id","id");--> statement-breakpoint
CREATE INDEX "subscription_changes_owner" ON "payments"."subscription_changes" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "subscription_forwards_waiting" ON "payments"."subscription_forwards" USING btree ("next_attempt_at","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "subscription_forwards_newest" ON "payments"."subscription_forwards" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "subscription_invoices_newest" ON "payments"."subscription_invoices" USING btree ("subscription_id","issued_at","id");--> statement-breakpoint
CREATE INDEX "subscription_invoices_owner" ON "payments"."subscription_invoices" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "subscription_notices_owner" ON "payments"."subscription_notices" USING btree ("owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_open" ON "payments"."subscriptions" USING btree ("owner_type","owner_id") WHERE status <> 'canceled';--> statement-breakpoint
CREATE INDEX "subscriptions_newest" ON "payments"."subscriptions" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_due" ON "payments"."subscriptions" USING btree ("next_check_at","id") WHERE next_check_at IS NOT NULL;--> statement-breakpoint
CREATE FUNCTION payments.refuse_price_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'prices of packages never change: add one that is active later' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER package_prices_are_final BEFORE UPDATE OR DELETE ON payments.package_prices
  FOR EACH ROW EXECUTE FUNCTION payments.refuse_price_change();
--> statement-breakpoint
INSERT INTO payments.package_prices (id, package, currency, unit_amount, active_from) VALUES
  (gen_random_uuid(), 'three', 'EUR', 900, '2026-01-01T00:00:00Z'),
  (gen_random_uuid(), 'five', 'EUR', 1400, '2026-01-01T00:00:00Z'),
  (gen_random_uuid(), 'ten', 'EUR', 2200, '2026-01-01T00:00:00Z'),
  (gen_random_uuid(), 'everything', 'EUR', 2900, '2026-01-01T00:00:00Z');
