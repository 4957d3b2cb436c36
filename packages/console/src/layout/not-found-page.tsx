import { Link } from '@tanstack/react-router';

export const NotFoundPage = () => (
  <div className="empty">
    <h2>There is no such page</h2>
    <p>
      Go to your <Link to="/memories">memories</Link>.
    </p>
  </div>
);
