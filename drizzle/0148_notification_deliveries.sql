CREATE TABLE "dashboard"."notification_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"notification_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"person_id" uuid,
	"target_id" uuid NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"mail_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "notification_deliveries_channel" CHECK ("dashboard"."notification_deliveries"."channel" IN ('email', 'push', 'chat')),
	CONSTRAINT "notification_deliveries_state" CHECK ("dashboard"."notification_deliveries"."state" IN ('waiting', 'sent', 'failed', 'dropped')),
	CONSTRAINT "notification_deliveries_settled" CHECK (("dashboard"."notification_deliveries"."settled_at" IS NULL) = ("dashboard"."notification_deliveries"."state" = 'waiting')),
	CONSTRAINT "notification_deliveries_person" CHECK (("dashboard"."notification_deliveries"."person_id" IS NULL) = ("dashboard"."notification_deliveries"."channel" = 'chat')),
	CONSTRAINT "notification_deliveries_mail" CHECK ("dashboard"."notification_deliveries"."mail_id" IS NULL OR "dashboard"."notification_deliveries"."channel" = 'email')
);
--> statement-breakpoint
CREATE TABLE "dashboard"."chat_webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"format" text NOT NULL,
	"sealed_url" text NOT NULL,
	"hint" text NOT NULL,
	"choices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"problem" text,
	"last_delivered_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chat_webhooks_format" CHECK ("dashboard"."chat_webhooks"."format" IN ('slack', 'discord')),
	CONSTRAINT "chat_webhooks_choices" CHECK (jsonb_typeof("dashboard"."chat_webhooks"."choices") = 'object'),
	CONSTRAINT "chat_webhooks_failures" CHECK ("dashboard"."chat_webhooks"."failures" >= 0),
	CONSTRAINT "chat_webhooks_failing" CHECK (("dashboard"."chat_webhooks"."failing_since" IS NULL) = ("dashboard"."chat_webhooks"."failures" = 0))
);
--> statement-breakpoint
CREATE TABLE "dashboard"."notification_preferences" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"email" boolean DEFAULT true NOT NULL,
	"push" boolean DEFAULT true NOT NULL,
	"choices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"frequency" text DEFAULT 'immediate' NOT NULL,
	"daily_at" text DEFAULT '09:00' NOT NULL,
	"time_zone" text,
	"quiet_hours" boolean DEFAULT false NOT NULL,
	"quiet_from" text DEFAULT '20:00' NOT NULL,
	"quiet_until" text DEFAULT '07:00' NOT NULL,
	"quiet_days" smallint[] DEFAULT '{1,2,3,4,5,6,7}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notification_preferences_frequency" CHECK ("dashboard"."notification_preferences"."frequency" IN ('immediate', 'hourly', 'daily')),
	CONSTRAINT "notification_preferences_choices" CHECK (jsonb_typeof("dashboard"."notification_preferences"."choices") = 'object'),
	CONSTRAINT "notification_preferences_times" CHECK (("dashboard"."notification_preferences"."daily_at" || "dashboard"."notification_preferences"."quiet_from" || "dashboard"."notification_preferences"."quiet_until") ~ '^(([01][0-9]|2[0-3]):[0-5][0-9]){3}$'),
	CONSTRAINT "notification_preferences_quiet_hours" CHECK ("dashboard"."notification_preferences"."quiet_days" <@ '{1,2,3,4,5,6,7}'::smallint[] AND cardinality("dashboard"."notification_preferences"."quiet_days") <= 7 AND "dashboard"."notification_preferences"."quiet_from" <> "dashboard"."notification_preferences"."quiet_until")
);
--> statement-breakpoint
CREATE TABLE "dashboard"."push_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"only" boolean DEFAULT true NOT NULL,
	"public_key" text NOT NULL,
	"sealed_private_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_keys_one" CHECK ("dashboard"."push_keys"."only")
);
--> statement-breakpoint
CREATE TABLE "dashboard"."push_subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"person_id" uuid NOT NULL,
	"endpoint_hash" text NOT NULL,
	"sealed_subscription" text NOT NULL,
	"browser" text NOT NULL,
	"last_sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "dashboard"."notifications" ADD COLUMN "announced_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "dashboard"."notification_deliveries" ADD CONSTRAINT "notification_deliveries_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "dashboard"."notifications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_deliveries_once" ON "dashboard"."notification_deliveries" USING btree ("notification_id","channel","target_id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_due" ON "dashboard"."notification_deliveries" USING btree ("due_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "notification_deliveries_target" ON "dashboard"."notification_deliveries" USING btree ("channel","target_id","organization_id","due_at");--> statement-breakpoint
CREATE INDEX "notification_deliveries_person" ON "dashboard"."notification_deliveries" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_organization" ON "dashboard"."notification_deliveries" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_expiry" ON "dashboard"."notification_deliveries" USING btree ("settled_at");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_webhooks_organization" ON "dashboard"."chat_webhooks" USING btree ("organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "notification_preferences_owner" ON "dashboard"."notification_preferences" USING btree ("person_id","organization_id");--> statement-breakpoint
CREATE INDEX "notification_preferences_organization" ON "dashboard"."notification_preferences" USING btree ("organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "push_keys_only" ON "dashboard"."push_keys" USING btree ("only");--> statement-breakpoint
CREATE UNIQUE INDEX "push_subscriptions_endpoint" ON "dashboard"."push_subscriptions" USING btree ("endpoint_hash");--> statement-breakpoint
CREATE INDEX "push_subscriptions_person" ON "dashboard"."push_subscriptions" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "notifications_unannounced" ON "dashboard"."notifications" USING btree ("organization_id","id") WHERE announced_at IS NULL;--> statement-breakpoint
UPDATE "dashboard"."notifications" SET "announced_at" = now();
