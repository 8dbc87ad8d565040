CREATE TABLE "dashboard"."notification_snoozes" (
	"notification_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notification_snoozes_notification_id_person_id_pk" PRIMARY KEY("notification_id","person_id")
);
--> statement-breakpoint
DROP INDEX "dashboard"."notifications_open";--> statement-breakpoint
DROP INDEX "dashboard"."notifications_resolved";--> statement-breakpoint
ALTER TABLE "dashboard"."notifications" ADD COLUMN "sort_at" timestamp (3) with time zone DEFAULT '9999-12-31T00:00:00Z' NOT NULL;--> statement-breakpoint
ALTER TABLE "dashboard"."notifications" ALTER COLUMN "sort_at" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "dashboard"."notifications" ADD COLUMN "posted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "dashboard"."notification_snoozes" ADD CONSTRAINT "notification_snoozes_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "dashboard"."notifications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_snoozes_person" ON "dashboard"."notification_snoozes" USING btree ("person_id","until");--> statement-breakpoint
CREATE INDEX "notification_snoozes_organization" ON "dashboard"."notification_snoozes" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "notification_snoozes_expiry" ON "dashboard"."notification_snoozes" USING btree ("until");--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_posted" ON "dashboard"."notifications" USING btree ("organization_id","service","cause") WHERE posted AND resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX "notifications_open" ON "dashboard"."notifications" USING btree ("organization_id","sort_at","id") WHERE resolved_at IS NULL;--> statement-breakpoint
CREATE INDEX "notifications_resolved" ON "dashboard"."notifications" USING btree ("organization_id","resolved_at","id") WHERE resolved_at IS NOT NULL;