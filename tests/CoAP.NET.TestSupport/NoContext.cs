namespace CoAP.TestSupport;

/// <summary>Runs code without the synchronization context of the test runner: what is awaited goes on where it is completed, not on another thread.</summary>
internal static class NoContext
{
    public static T Run<T>(Func<T> action)
    {
        var context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        try { return action(); }
        finally { SynchronizationContext.SetSynchronizationContext(context); }
    }
}
