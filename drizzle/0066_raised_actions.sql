CREATE TABLE "platform"."raised_actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"cause" text NOT NULL,
	"title" text NOT NULL,
	"reason" text NOT NULL,
	"href" text NOT NULL,
	"actions" jsonb NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"enqueued_version" integer DEFAULT 0 NOT NULL,
	"taken_version" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "raised_actions_versions" CHECK ("platform"."raised_actions"."version" >= greatest("platform"."raised_actions"."enqueued_version", "platform"."raised_actions"."taken_version"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "raised_actions_open" ON "platform"."raised_actions" USING btree ("cause","organization_id") WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX "raised_actions_organization" ON "platform"."raised_actions" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "raised_actions_waiting" ON "platform"."raised_actions" USING btree ("raised_at") WHERE enqueued_version < version;--> statement-breakpoint
CREATE INDEX "raised_actions_untaken" ON "platform"."raised_actions" USING btree ("id") WHERE taken_version < version;--> statement-breakpoint
CREATE INDEX "raised_actions_resolved" ON "platform"."raised_actions" USING btree ("resolved_at") WHERE resolved_at IS NOT NULL;