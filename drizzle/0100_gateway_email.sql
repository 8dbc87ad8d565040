CREATE TABLE "gateway"."sender_domains" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"kind" text NOT NULL,
	"token" text NOT NULL,
	"sealed_keys" text,
	"public_keys" jsonb NOT NULL,
	"active_selector" text NOT NULL,
	"key_created_at" timestamp (3) with time zone NOT NULL,
	"findings" jsonb NOT NULL,
	"check_error" text,
	"verified_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sender_domains_owner" UNIQUE("organization_id","domain"),
	CONSTRAINT "sender_domains_kind" CHECK ("gateway"."sender_domains"."kind" IN ('smtp', 'resend', 'cloudflare_email')),
	CONSTRAINT "sender_domains_failing" CHECK ("gateway"."sender_domains"."failing_since" IS NULL OR "gateway"."sender_domains"."verified_at" IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "gateway"."senders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	"address" text NOT NULL,
	"name" text NOT NULL,
	"reply_to" text,
	"used_for" text,
	"is_default" boolean DEFAULT false NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"paused_reason" text,
	"resumed_at" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "senders_address" UNIQUE("organization_id","address"),
	CONSTRAINT "senders_paused" CHECK (("gateway"."senders"."paused_at" IS NULL) = ("gateway"."senders"."paused_reason" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "gateway"."email_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"address" text,
	"type" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"data_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"outcome" text,
	"server" text,
	"encryption" text,
	"response" text
);
--> statement-breakpoint
CREATE TABLE "gateway"."email_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"application_id" text,
	"api_key_id" uuid,
	"user_id" uuid,
	"service" text,
	"system" boolean NOT NULL,
	"test" boolean DEFAULT false NOT NULL,
	"sender_id" uuid NOT NULL,
	"from_address" text NOT NULL,
	"from_name" text NOT NULL,
	"reply_to" text,
	"subject" text NOT NULL,
	"template" text,
	"sealed_content" text,
	"attachments" jsonb NOT NULL,
	"fingerprint" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"lease_owner" uuid,
	"provider" text NOT NULL,
	"provider_message_id" text,
	"cost_nano_usd" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "email_messages_state" CHECK ("gateway"."email_messages"."state" IN ('held', 'queued', 'settled', 'dropped')),
	CONSTRAINT "email_messages_settled" CHECK (("gateway"."email_messages"."settled_at" IS NULL) = ("gateway"."email_messages"."state" IN ('held', 'queued'))),
	CONSTRAINT "email_messages_owner" CHECK ("gateway"."email_messages"."system" OR "gateway"."email_messages"."organization_id" IS NOT NULL),
	CONSTRAINT "email_messages_content" CHECK ("gateway"."email_messages"."state" IN ('settled', 'dropped') OR "gateway"."email_messages"."sealed_content" IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "gateway"."email_recipients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"organization_id" uuid,
	"sender_id" uuid NOT NULL,
	"address" text NOT NULL,
	"field" text NOT NULL,
	"state" text NOT NULL,
	"response" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "email_recipients_address" UNIQUE("message_id","address"),
	CONSTRAINT "email_recipients_state" CHECK ("gateway"."email_recipients"."state" IN ('queued', 'deferred', 'sent', 'delivered', 'bounced', 'complained', 'suppressed', 'failed', 'dropped')),
	CONSTRAINT "email_recipients_field" CHECK ("gateway"."email_recipients"."field" IN ('to', 'cc', 'bcc'))
);
--> statement-breakpoint
CREATE TABLE "gateway"."email_suppressions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"address" text NOT NULL,
	"reason" text NOT NULL,
	"detail" text,
	"message_id" uuid,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_suppressions_address" UNIQUE("organization_id","address"),
	CONSTRAINT "email_suppressions_reason" CHECK ("gateway"."email_suppressions"."reason" IN ('bounce', 'complaint', 'manual'))
);
--> statement-breakpoint
CREATE TABLE "gateway"."email_templates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"subject" text NOT NULL,
	"text" text,
	"html" text,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "email_templates_name" UNIQUE("organization_id","name"),
	CONSTRAINT "email_templates_body" CHECK ("gateway"."email_templates"."text" IS NOT NULL OR "gateway"."email_templates"."html" IS NOT NULL)
);
--> statement-breakpoint
ALTER TABLE "gateway"."senders" ADD CONSTRAINT "senders_domain_id_sender_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "gateway"."sender_domains"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway"."email_events" ADD CONSTRAINT "email_events_message_id_email_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "gateway"."email_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gateway"."email_recipients" ADD CONSTRAINT "email_recipients_message_id_email_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "gateway"."email_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sender_domains_verified" ON "gateway"."sender_domains" USING btree ("domain") WHERE verified_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "sender_domains_checked" ON "gateway"."sender_domains" USING btree ("checked_at");--> statement-breakpoint
CREATE UNIQUE INDEX "senders_default" ON "gateway"."senders" USING btree ("organization_id") WHERE is_default;--> statement-breakpoint
CREATE INDEX "senders_domain" ON "gateway"."senders" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "email_events_message" ON "gateway"."email_events" USING btree ("message_id","id");--> statement-breakpoint
CREATE INDEX "email_messages_organization" ON "gateway"."email_messages" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "email_messages_created" ON "gateway"."email_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "email_messages_provider_id" ON "gateway"."email_messages" USING btree ("provider_message_id") WHERE provider_message_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "email_messages_open" ON "gateway"."email_messages" USING btree ("sender_id") WHERE state IN ('held', 'queued');--> statement-breakpoint
CREATE INDEX "email_recipients_organization" ON "gateway"."email_recipients" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "email_recipients_sender" ON "gateway"."email_recipients" USING btree ("sender_id","created_at");