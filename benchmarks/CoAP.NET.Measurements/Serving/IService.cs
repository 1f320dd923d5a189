namespace CoAP.Measurements.Serving;

/// <summary>What a server process serves.</summary>
internal interface IService : IAsyncDisposable
{
    /// <summary>"name value", such as "tcp 40123".</summary>
    IEnumerable<string> Addresses { get; }

    /// <summary>Answers a question of the measurement in one line.</summary>
    string Answer(string question) => "";
}
