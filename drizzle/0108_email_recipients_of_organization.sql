DROP INDEX "gateway"."email_recipients_failed";--> statement-breakpoint
DROP INDEX "gateway"."email_messages_open";--> statement-breakpoint
DROP INDEX "gateway"."email_recipients_sender";--> statement-breakpoint
CREATE INDEX "email_recipients_state" ON "gateway"."email_recipients" USING btree ("organization_id","state","id");--> statement-breakpoint
CREATE INDEX "email_messages_open" ON "gateway"."email_messages" USING btree ("sender_id","organization_id") WHERE state IN ('held', 'queued');--> statement-breakpoint
CREATE INDEX "email_recipients_sender" ON "gateway"."email_recipients" USING btree ("organization_id","sender_id","created_at","state");