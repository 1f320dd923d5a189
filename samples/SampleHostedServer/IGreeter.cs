namespace SampleHostedServer;

/// <summary>A service that a test can replace.</summary>
public interface IGreeter
{
    /// <summary>Returns the greeting for a name.</summary>
    string Greet(string name);
}
