import type { Module } from '../module.ts';
import { conversationRouteHandlers } from './routes.ts';

export const conversationModule = {
  name: 'conversations',
  handlers: conversationRouteHandlers,
} satisfies Module;
