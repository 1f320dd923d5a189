namespace Backend;

/// <summary>Stores each reading once, by the controller and the sequence.</summary>
/// <remarks>Every exception but <see cref="ReadingRejectedException"/> means that the store is down.</remarks>
internal interface IReadingStore
{
    /// <summary>Checks that the store can be used, and creates what it needs. Called at the start, and while the store is down.</summary>
    Task OpenAsync(CancellationToken cancellationToken);

    /// <summary>Stores all readings or none. Ignores those that are stored already. Called once at a time.</summary>
    /// <exception cref="ReadingRejectedException">The store will never accept one of the readings.</exception>
    Task WriteAsync(ReadOnlyMemory<Report> reports, CancellationToken cancellationToken);

    /// <summary>Returns the newest readings of a controller, the oldest of them first.</summary>
    Task<IReadOnlyList<Reading>> ReadNewestAsync(string device, int count, CancellationToken cancellationToken);

    /// <summary>Returns what is stored of each controller.</summary>
    Task<IReadOnlyList<StoredReadings>> CountAsync(CancellationToken cancellationToken);

    /// <summary>Called when the backend forgets a controller that was silent for long. A store in memory forgets its readings as well.</summary>
    void Forget(string device) { }
}

/// <summary>How many different readings of a controller were stored, and the range of their sequences.</summary>
internal sealed record StoredReadings(string Device, long Count, long First, long Last);

/// <summary>The store will never accept a reading.</summary>
internal sealed class ReadingRejectedException(string message, Exception inner) : Exception(message, inner);
