namespace CoAP.Benchmarks.Load;

/// <summary>How many observers there are, and for how long they are watched.</summary>
/// <param name="Clients">The clients, with an address each, so that none has more than its share.</param>
/// <param name="PerClient">The observations of each.</param>
/// <param name="MaxAge">How long a state is fresh.</param>
/// <param name="Settle">The time between the last registration and the measurement.</param>
/// <param name="Time">The time that is measured.</param>
internal sealed record ObserversPlan(int Clients, int PerClient, TimeSpan MaxAge, TimeSpan Settle, TimeSpan Time)
{
    public static ObserversPlan Of(RunForm form)
    {
        var (clients, each, age, settle, time) = form.Choose((4, 25, 1, 0, 2), (50, 200, 20, 20, 40), (100, 1000, 60, 60, 150), (100, 1000, 60, 120, 600));
        return new(clients, each, TimeSpan.FromSeconds(age), TimeSpan.FromSeconds(settle), TimeSpan.FromSeconds(time));
    }
}
